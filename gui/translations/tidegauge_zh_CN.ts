<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name></name>
    <message>
        <source>About Tidegauge</source>
        <translation>关于 Tidegauge</translation>
    </message>
    <message>
        <source>Add a folder of logs…</source>
        <translation>添加日志文件夹…</translation>
    </message>
    <message>
        <source>Add logs…</source>
        <translation>添加日志…</translation>
    </message>
    <message>
        <source>All partitions</source>
        <translation>所有分区</translation>
    </message>
    <message>
        <source>Back to the place before</source>
        <translation>回到上一处</translation>
    </message>
    <message>
        <source>Begin a range here, then end it</source>
        <translation>在此开始范围，再结束它</translation>
    </message>
    <message>
        <source>Bookmark at this position</source>
        <translation>在此位置加书签</translation>
    </message>
    <message>
        <source>Change the selected note or bookmark</source>
        <translation>修改选中的批注或书签</translation>
    </message>
    <message>
        <source>Choose the partition…</source>
        <translation>选择分区…</translation>
    </message>
    <message>
        <source>Close the overlay, clear the selection</source>
        <translation>关闭浮层，清除选择</translation>
    </message>
    <message>
        <source>Close what is open</source>
        <translation>关闭当前内容</translation>
    </message>
    <message>
        <source>Comparison</source>
        <translation>对比</translation>
    </message>
    <message>
        <source>Copy the marked text, the lines, or what the inspector says</source>
        <translation>复制选中的文字、日志行或检查器的内容</translation>
    </message>
    <message>
        <source>Delete the selected note or bookmark</source>
        <translation>删除选中的批注或书签</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>编辑</translation>
    </message>
    <message>
        <source>Evidence</source>
        <translation>证据</translation>
    </message>
    <message>
        <source>Export picture or text…</source>
        <translation>导出图片或文字…</translation>
    </message>
    <message>
        <source>Faster</source>
        <translation>加快</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Find in events and raw lines…</source>
        <translation>在事件和原始行中查找…</translation>
    </message>
    <message>
        <source>Finding 1</source>
        <translation>发现 1</translation>
    </message>
    <message>
        <source>Finding 2</source>
        <translation>发现 2</translation>
    </message>
    <message>
        <source>Finding 3</source>
        <translation>发现 3</translation>
    </message>
    <message>
        <source>Finding 4</source>
        <translation>发现 4</translation>
    </message>
    <message>
        <source>Finding 5</source>
        <translation>发现 5</translation>
    </message>
    <message>
        <source>Finding 6</source>
        <translation>发现 6</translation>
    </message>
    <message>
        <source>Finding 7</source>
        <translation>发现 7</translation>
    </message>
    <message>
        <source>Finding 8</source>
        <translation>发现 8</translation>
    </message>
    <message>
        <source>Finding 9</source>
        <translation>发现 9</translation>
    </message>
    <message>
        <source>Findings, notes, ledger</source>
        <translation>发现、批注、丢失账目</translation>
    </message>
    <message>
        <source>First position</source>
        <translation>第一个位置</translation>
    </message>
    <message>
        <source>Forward to the place after</source>
        <translation>前往下一处</translation>
    </message>
    <message>
        <source>Full screen</source>
        <translation>全屏</translation>
    </message>
    <message>
        <source>Go</source>
        <translation>转到</translation>
    </message>
    <message>
        <source>Go to a time, position, offset or epoch…</source>
        <translation>转到时间、位置、偏移量或纪元…</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>帮助</translation>
    </message>
    <message>
        <source>Import report</source>
        <translation>导入报告</translation>
    </message>
    <message>
        <source>Inspector</source>
        <translation>检查器</translation>
    </message>
    <message>
        <source>Keys of this window</source>
        <translation>此窗口的按键</translation>
    </message>
    <message>
        <source>Last position</source>
        <translation>最后的位置</translation>
    </message>
    <message>
        <source>Light or dark</source>
        <translation>浅色或深色</translation>
    </message>
    <message>
        <source>Logs at the cursor</source>
        <translation>光标处的日志</translation>
    </message>
    <message>
        <source>Next change of the in-sync set</source>
        <translation>下一次同步集合变化</translation>
    </message>
    <message>
        <source>Next crash, stop or start</source>
        <translation>下一次崩溃、停止或启动</translation>
    </message>
    <message>
        <source>Next difference</source>
        <translation>下一处差异</translation>
    </message>
    <message>
        <source>Next election</source>
        <translation>下一次选举</translation>
    </message>
    <message>
        <source>Next hit</source>
        <translation>下一个结果</translation>
    </message>
    <message>
        <source>Next loss</source>
        <translation>下一处丢失</translation>
    </message>
    <message>
        <source>Next note or bookmark</source>
        <translation>下一个批注或书签</translation>
    </message>
    <message>
        <source>Next pane</source>
        <translation>下一个窗格</translation>
    </message>
    <message>
        <source>Next step or distinct time</source>
        <translation>下一步或下一时刻</translation>
    </message>
    <message>
        <source>Next truncation</source>
        <translation>下一次截断</translation>
    </message>
    <message>
        <source>Note at this position</source>
        <translation>在此位置加批注</translation>
    </message>
    <message>
        <source>One position back</source>
        <translation>后退一个位置</translation>
    </message>
    <message>
        <source>One position forward</source>
        <translation>前进一个位置</translation>
    </message>
    <message>
        <source>Open a folder of logs…</source>
        <translation>打开日志文件夹…</translation>
    </message>
    <message>
        <source>Open files or archives…</source>
        <translation>打开文件或归档…</translation>
    </message>
    <message>
        <source>Open the menu</source>
        <translation>打开菜单</translation>
    </message>
    <message>
        <source>Pan to earlier</source>
        <translation>向更早平移</translation>
    </message>
    <message>
        <source>Pan to later</source>
        <translation>向更晚平移</translation>
    </message>
    <message>
        <source>Play or pause</source>
        <translation>播放或暂停</translation>
    </message>
    <message>
        <source>Previous change of the in-sync set</source>
        <translation>上一次同步集合变化</translation>
    </message>
    <message>
        <source>Previous crash, stop or start</source>
        <translation>上一次崩溃、停止或启动</translation>
    </message>
    <message>
        <source>Previous difference</source>
        <translation>上一处差异</translation>
    </message>
    <message>
        <source>Previous election</source>
        <translation>上一次选举</translation>
    </message>
    <message>
        <source>Previous hit</source>
        <translation>上一个结果</translation>
    </message>
    <message>
        <source>Previous loss</source>
        <translation>上一处丢失</translation>
    </message>
    <message>
        <source>Previous note or bookmark</source>
        <translation>上一个批注或书签</translation>
    </message>
    <message>
        <source>Previous pane</source>
        <translation>上一个窗格</translation>
    </message>
    <message>
        <source>Previous step or distinct time</source>
        <translation>上一步或上一时刻</translation>
    </message>
    <message>
        <source>Previous truncation</source>
        <translation>上一次截断</translation>
    </message>
    <message>
        <source>Put another run beside it…</source>
        <translation>并排放入另一次运行…</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>退出</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>重做</translation>
    </message>
    <message>
        <source>Reset layout</source>
        <translation>恢复默认布局</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>另存为…</translation>
    </message>
    <message>
        <source>Search and commands…</source>
        <translation>搜索与命令…</translation>
    </message>
    <message>
        <source>Select what is at the cursor; again: its evidence</source>
        <translation>选中光标处的事件；再按一次：其证据</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>显示全部</translation>
    </message>
    <message>
        <source>Show the marked range whole</source>
        <translation>完整显示标出的范围</translation>
    </message>
    <message>
        <source>Slower</source>
        <translation>减慢</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>时间线</translation>
    </message>
    <message>
        <source>To the cause</source>
        <translation>到其原因</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>View</source>
        <translation>视图</translation>
    </message>
    <message>
        <source>Welcome</source>
        <translation>欢迎页</translation>
    </message>
    <message>
        <source>Who last changed this value?…</source>
        <translation>谁最后改变了这个值？…</translation>
    </message>
    <message>
        <source>Zoom in at the cursor</source>
        <translation>在光标处放大</translation>
    </message>
    <message>
        <source>Zoom out at the cursor</source>
        <translation>在光标处缩小</translation>
    </message>
    <message>
        <source>a comparison is open</source>
        <translation>已打开对比</translation>
    </message>
    <message>
        <source>a note or bookmark is selected</source>
        <translation>选中了批注或书签</translation>
    </message>
    <message>
        <source>a range is marked on one timeline</source>
        <translation>在单条时间线上标出了范围</translation>
    </message>
    <message>
        <source>asked for once in a lifetime</source>
        <translation>难得用到一次</translation>
    </message>
    <message>
        <source>one timeline is open</source>
        <translation>打开的是单条时间线</translation>
    </message>
    <message>
        <source>one trace is open</source>
        <translation>打开的是一条轨迹</translation>
    </message>
    <message>
        <source>one trace is open, and it was made from logs</source>
        <translation>打开的是一条由日志得到的轨迹</translation>
    </message>
    <message>
        <source>only when {need}</source>
        <translation>仅当{need}时</translation>
    </message>
    <message>
        <source>rare, and not to be hit by accident</source>
        <translation>很少用，也不应误触</translation>
    </message>
    <message>
        <source>something is open</source>
        <translation>已打开内容</translation>
    </message>
    <message>
        <source>something is open, and fewer than four runs</source>
        <translation>已打开内容，且少于四次运行</translation>
    </message>
    <message>
        <source>the trace has several partitions</source>
        <translation>轨迹有多个分区</translation>
    </message>
    <message>
        <source>there is something to redo</source>
        <translation>有可重做的操作</translation>
    </message>
    <message>
        <source>there is something to undo</source>
        <translation>有可撤销的操作</translation>
    </message>
</context>
</TS>
