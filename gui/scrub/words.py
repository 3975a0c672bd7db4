"""The words of a page in the language spoken: of its frame, and what its script puts together."""

from collections.abc import Mapping

from core.language import say


def frame_words() -> Mapping[str, str]:
    """What stands in page.html and run.html, by place."""
    return {
        "word_lang": say("en", "zh-Hans"),
        "word_theme": say("Dark or light", "深色或浅色"),
        "word_back": say("Previous position", "上一个位置"),
        "word_position": say("Position", "位置"),
        "word_on": say("Next position", "下一个位置"),
        "word_keys": say(
            "Arrow keys step, Page Up and Page Down go ten positions, Home and End go to the ends; "
            "or drag in the picture.",
            "方向键逐步移动，Page Up 和 Page Down 移动十个位置，Home 和 End 到两端；也可在图中拖动。",
        ),
        "word_noscript": say(
            "Scrubbing needs JavaScript. The picture and its caption stand without it.",
            "移动光标需要 JavaScript。没有它时图与说明仍在。",
        ),
        "word_broker": say("Broker", "Broker"),
        "word_role": say("Role", "角色"),
        "word_epoch": say("Epoch", "纪元"),
        "word_in_isr": say("In ISR", "在 ISR 中"),
        "word_log_start": say("Log start", "日志起点"),
        "word_epochs": say("Leader epochs (epoch, start)", "领导者纪元（纪元，起点）"),
        "word_evidence": say("Evidence", "证据"),
    }


def script_words() -> Mapping[str, str | Mapping[str, str]]:
    """What page.js says, with {places} for its values. Roles are by their name in the data."""
    return {
        "none": say("none", "无"),
        "in": say("in", "是"),
        "out": say("out", "否"),
        "unknown": say("leader unknown", "领导者未知"),
        "leaderless": say("no leader", "没有领导者"),
        "leader": say("leader {leader}", "领导者 {leader}"),
        "caption": say(
            "{partition}: {leader}, epoch {epoch}, ISR {isr}",
            "{partition}：{leader}，纪元 {epoch}，ISR {isr}",
        ),
        "stop": say("stop {place} / {last}  {label}", "停靠点 {place} / {last}  {label}"),
        "position": say("{what}, position {place} of {last}", "{what}，第 {place} 个位置，共 {last} 个"),
        "roles": {
            "leader": say("leader", "领导者"),
            "follower": say("follower", "跟随者"),
            "starting": say("starting", "启动中"),
            "offline": say("offline", "离线"),
            "unknown": say("unknown", "未知"),
        },
    }
